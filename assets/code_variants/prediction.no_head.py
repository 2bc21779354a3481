y = norm(z[:1])                # class token, (1, {D})
