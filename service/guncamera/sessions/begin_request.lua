-- Keep what a request id of the whole service stands for, unless it is kept already.
-- KEYS: the request's
-- ARGV: fingerprint, ttl in seconds
local kept = redis.call('GET', KEYS[1])
if kept then
  -- Its expiry as it is: a WAIT behind this counts who has what another connection wrote.
  redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1]))
  return kept
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
