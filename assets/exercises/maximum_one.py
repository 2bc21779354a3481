class LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = 1e-6
        self.gamma = nn.Parameter(torch.ones({D}))
        self.beta = nn.Parameter(torch.zeros({D}))

    def forward(self, z):            # ({N}, {D})
        mean = z.mean(-1, keepdim=True)
        a = z - mean                 # mean 0
        scale = a.abs().amax(-1, keepdim=True) + self.eps  #!
        a = a / scale
        return self.gamma * a + self.beta
#?
        scale = (a.square().mean(-1, keepdim=True) + self.eps).sqrt()  #=
        scale = a.square().mean(-1, keepdim=True) + self.eps
        scale = a.sum(-1, keepdim=True) + self.eps
