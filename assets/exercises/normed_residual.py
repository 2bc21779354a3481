class EncoderBlock(nn.Module):
    # __init__: self.ln1, self.attention, self.ln2, self.mlp

    def sublayer(self, norm, layer, z):
        a = norm(z)                  # ({N}, {D})
        out = layer(a)
        return out + a  #!

    def forward(self, z):            # ({N}, {D})
        z = self.sublayer(self.ln1, self.attention, z)
        return self.sublayer(self.ln2, self.mlp, z)
#?
        return out + z  #=
        return out
        return norm(out + z)
