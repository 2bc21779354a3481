class LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = 1e-6
        self.gamma = nn.Parameter(torch.ones({D}))
        self.beta = nn.Parameter(torch.zeros({D}))

    def forward(self, z):            # ({N}, {D})
        axis = 0  #!
        mean = z.mean(axis, keepdim=True)
        var = z.var(axis, unbiased=False, keepdim=True)
        a = (z - mean) / (var + self.eps).sqrt()
        return self.gamma * a + self.beta
#?
        axis = -2
        axis = (0, 1)
        axis = -1  #=
