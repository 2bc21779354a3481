class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.E = nn.Linear({patch_dim}, {D})
        self.x_class = nn.Parameter(torch.zeros(1, {D}))
        self.E_pos = nn.Parameter(torch.zeros({N}, {D}))

    def forward(self, patches):      # ({Np}, {patch_dim})
        x = self.E(patches)          # ({Np}, {D})
        x = torch.cat([self.x_class, x])
        return x  #!
#?
        return torch.cat([x, self.E_pos])
        return x * self.E_pos
        return x + self.E_pos  #=
