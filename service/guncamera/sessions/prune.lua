-- Take sessions that are gone out of the index.
-- KEYS: index
-- ARGV: grace in microseconds, then pairs of session id and the score it was seen with
-- A session is indexed before it is created. One that was indexed just now, or again since it was
-- looked at, may be about to appear, and stays.
local time = redis.call('TIME')
local oldest_kept = tonumber(time[1]) * 1000000 + tonumber(time[2]) - tonumber(ARGV[1])
local pruned = 0
for i = 2, #ARGV, 2 do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if score and score == ARGV[i + 1] and tonumber(score) < oldest_kept then
    pruned = pruned + redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return pruned
