y = norm(z[:1])                # class token, (1, {D})
f = F.linear(y, W)             # features, no classifier
