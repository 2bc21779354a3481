class EncoderBlock(nn.Module):
    # __init__: self.ln1, self.attention, self.ln2, self.mlp

    def forward(self, z):            # ({N}, {D})
        a = self.ln1(z)
        z = self.attention(a) + z
        a = self.ln2(z)
        z = self.mlp(a) + z
        return  #!

def encode(blocks, z):               # {L} blocks
    for block in blocks:
        z = block(z)
    return z
#?
        return a
        print(z)
        return z  #=
