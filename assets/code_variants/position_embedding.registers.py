first, registers = tokens[:1], tokens[1:{leading}]  # no position
placed = torch.cat([first, tokens[{leading}:]]) + E_pos
z = torch.cat([placed[:1], registers, placed[1:]])
zs = [z]                       # z_0, kept for later
