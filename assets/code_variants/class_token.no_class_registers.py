# registers come first; none stands for the whole image
tokens = torch.cat([x_reg, x_p])
assert tokens.shape == ({N}, {D})
