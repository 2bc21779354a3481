normed = norm(z)               # ({N}, {D})
patches = normed[{leading}:].mean(dim=0, keepdim=True)
y = torch.cat([normed[:1], patches], dim=1)  # side by side
logits = head(y)               # (1, {classes})
p = logits.softmax(dim=-1)
