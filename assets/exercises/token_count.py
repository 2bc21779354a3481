class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        tokens = {P} * {P} + 1  #!
        self.E = nn.Linear({patch_dim}, {D})
        self.x_class = nn.Parameter(torch.zeros(1, {D}))
        self.E_pos = nn.Parameter(torch.zeros(tokens, {D}))

    def forward(self, patches):      # ({Np}, {patch_dim})
        x = self.E(patches)          # ({Np}, {D})
        x = torch.cat([self.x_class, x])
        return x + self.E_pos        # z_0, ({N}, {D})
#?
        tokens = ({H} // {P}) * ({W} // {P})
        tokens = ({H} // {P}) * ({W} // {P}) + 1  #=
        tokens = {H} * {W} + 1
