-- Give a seat to a token, if the session exists and the seat is free. The expiry stays as it is.
-- KEYS: head
-- ARGV: the seat's field, token hash
if redis.call('HEXISTS', KEYS[1], 'revision') == 0 then
  return -1
end
local holder = redis.call('HGET', KEYS[1], ARGV[1])
if holder then
  return holder == ARGV[2] and 1 or 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
