class CrossAttention(nn.Module):
    # __init__: self.q, self.k, self.v, self.proj

    def cut(self, x):
        return x.view(-1, {h}, {d}).transpose(0, 1)

    def forward(self, y, memory):    # (T, {D}), (S, {D})
        q = self.cut(self.q(y))      # ({h}, T, {d})
        k = self.cut(self.k(memory)) # ({h}, S, {d})
        v = self.cut(self.v(memory))
        scores = q @ k.transpose(1, 2) / math.sqrt({d})
        A = scores.softmax(1)  #!
        out = (A @ v).transpose(0, 1)
        return self.proj(out.reshape(len(y), {D}))
#?
        A = scores.softmax(-1)  #=
        A = scores.softmax(0)
        A = scores.flatten(1).softmax(-1).view_as(scores)
