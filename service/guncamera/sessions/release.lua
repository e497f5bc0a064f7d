-- Take a seat back from its token. What the seat has sealed goes with it: whoever claims the seat
-- next must not find it, and it must not be revealed in their name. The expiry stays as it is.
-- KEYS: head
-- ARGV: the seat's field, its field of seals, the hash of the token that holds it, channel
if redis.call('HEXISTS', KEYS[1], 'revision') == 0 then
  return -1
end
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[3] then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HDEL', KEYS[1], ARGV[2]) == 1 then
  -- Whoever has counted this seal must not reveal without it.
  redis.call('HINCRBY', KEYS[1], 'seal_serial', 1)
end
redis.pcall('PUBLISH', ARGV[4], 'released')
return 1
