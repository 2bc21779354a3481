own, patches = tokens[:{leading}], tokens[{leading}:]
z = torch.cat([own, patches + E_pos])  # z_0, ({N}, {D})
zs = [z]                       # kept for later
