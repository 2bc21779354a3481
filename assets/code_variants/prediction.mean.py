patches = z[{leading}:]              # without learned tokens
y = norm(patches.mean(dim=0, keepdim=True))  # (1, {D})
logits = head(y)               # (1, {classes})
p = logits.softmax(dim=-1)
