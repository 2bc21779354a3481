# cut into P × P squares, row by row
patches = x.unfold(1, {P}, {P}).unfold(2, {P}, {P})
patches = patches.permute(1, 2, 0, 3, 4)
patches = patches.reshape({Np}, {patch_dim})  # (Np, P²·C)
