class LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones({D}))
        self.beta = nn.Parameter(torch.zeros({D}))
        self.eps = 1e-5

    def forward(self, x):            # (S, {D})
        a = x - x.mean(-1, keepdim=True)
        scale = x.std(-1, keepdim=True) + self.eps  #!
        return self.gamma * a / scale + self.beta
#?
        scale = (x.var(-1, keepdim=True) + self.eps).sqrt()
        scale = (a.pow(2).mean(-1, keepdim=True) + self.eps).sqrt()  #=
        scale = a.pow(2).mean(-1, keepdim=True) + self.eps
