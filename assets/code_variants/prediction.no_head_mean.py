y = norm(z)[{leading}:].mean(dim=0)  # of the patches, ({D})
