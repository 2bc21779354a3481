class Attention(nn.Module):
    # __init__: self.q, self.k, self.v, self.proj

    def forward(self, a):            # a = LN(z), ({N}, {D})
        q = self.q(a)                # ({N}, {D})
        k = self.k(a)
        v = self.v(a)
        qs = q.view({N}, {h}, {d}).transpose(0, 1)
        ks = q.view({N}, {h}, {d}).transpose(0, 1)  #!
        vs = v.view({N}, {h}, {d}).transpose(0, 1)
        scores = qs @ ks.transpose(1, 2) / math.sqrt({d})
        A = scores.softmax(-1)       # ({h}, {N}, {N})
        out = (A @ vs).transpose(0, 1)
        return self.proj(out.reshape({N}, {D}))
#?
        ks = k.view({N}, {h}, {d}).transpose(0, 1)  #=
        ks = v.view({N}, {h}, {d}).transpose(0, 1)
        ks = k.view({h}, {N}, {d})
