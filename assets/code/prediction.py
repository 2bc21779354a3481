y = norm(z[:1])                # class token, (1, {D})
logits = head(y)               # (1, {classes})
p = logits.softmax(dim=-1)
