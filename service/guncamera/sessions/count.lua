-- Count in a window of time, which begins with its first count and goes with its counter.
-- KEYS: the counter
-- ARGV: the window in seconds; how many to add, 0 to look only
if ARGV[2] == '0' then
  return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}
end
local total = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1]) * 1000
  redis.call('PEXPIRE', KEYS[1], left)
end
return {total, left}
