class Attention(nn.Module):
    # __init__: self.q, self.k, self.v, self.proj

    def cut(self, x):                # ({N}, {D})
        return x.view({N}, {h}, {d}).transpose(0, 1)

    def forward(self, a):            # a = LN(z), ({N}, {D})
        q = self.cut(self.q(a))      # ({h}, {N}, {d})
        k = self.cut(self.k(a))
        v = self.cut(self.v(a))
        scores = q @ k.transpose(1, 2) / math.sqrt({d})
        A = scores.softmax(1)  #!
        out = (A @ v).transpose(0, 1)
        return self.proj(out.reshape({N}, {D}))
#?
        A = scores.softmax(0)
        A = scores.softmax(-1)  #=
        A = scores / scores.sum(-1, keepdim=True)
