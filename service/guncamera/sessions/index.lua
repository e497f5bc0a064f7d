-- Put a session at the end of the index of sessions, unless it is in there.
-- KEYS: index
-- ARGV: session id, 'renew' to move it to the end all the same
-- The score is the server's time in microseconds, made to rise strictly, so that one score is one
-- session and can serve as the place where a list goes on.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) and ARGV[2] ~= 'renew' then
  return 0
end
local time = redis.call('TIME')
local score = tonumber(time[1]) * 1000000 + tonumber(time[2])
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if last[2] and tonumber(last[2]) >= score then
  score = tonumber(last[2]) + 1
end
redis.call('ZADD', KEYS[1], string.format('%.0f', score), ARGV[1])
return 1
