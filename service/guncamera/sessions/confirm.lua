-- Write a key's expiry as it is, so that a WAIT behind this counts the replicas that have all that
-- was written before, by whichever connection.
-- KEYS: one that is there
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
end
return left
