a = block.ln2(z_mid)           # ({N}, {D})
u = block.fc1(a)               # ({N}, {M})
hidden = act(u)                # GELU, each token alone
z = block.fc2(hidden) + z_mid  # Eq. 3, ({N}, {D})
