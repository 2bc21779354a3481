tokens = torch.cat([torch.tensor([CLS]), ids[:-1]])
z = encode(tokens)               # (S + 1, {D})
logits = z[0] @ W_y.T + b_y      # [CLS] alone is read
p = logits.softmax(-1)           # ({classes},)
