y = norm(z[-1:])               # last token, (1, {D})
logits = head(y)               # (1, {classes})
p = logits.softmax(dim=-1)
