-- Create a session with a ledger of any length, if there is none of that name, and the request has
-- created none before.
-- KEYS: head, ledger, requests, states, and with a request id where it is known as done
-- ARGV: record, state, ttl in seconds, request id or '', fingerprint, how long the request is known
-- in seconds, how many states; for each its revision and itself; then the entries
local head = redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'request_fingerprint')
if ARGV[4] ~= '' and ARGV[4] ~= head[2] then
  local done = redis.call('GET', KEYS[5])
  if done then
    return {'gone', done}
  end
end
if head[1] then
  return {'exists', head[2], head[3]}
end

-- Leftovers without a head would be counted as this session's ledger. Looking first matters: a
-- full store refuses only a script's first write, and a needless delete would be that one.
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3], KEYS[4]) > 0 then
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
end

-- In chunks, because Lua's stack limits how many arguments one call takes.
local first = 8 + 2 * tonumber(ARGV[7])
local count = #ARGV - first + 1
for start = first, #ARGV, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(ARGV, start, math.min(start + 999, #ARGV)))
end
for at = 8, first - 1, 2 do
  redis.call('HSET', KEYS[4], ARGV[at], ARGV[at + 1])
end
redis.call('HSET', KEYS[1], 'revision', count, 'record', ARGV[1], 'state', ARGV[2])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'request_id', ARGV[4], 'request_fingerprint', ARGV[5])
  -- It outlives the session: a late retry must not create it anew.
  redis.call('SET', KEYS[5], ARGV[5], 'EX', ARGV[6])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[4], ARGV[3])
return {'created', count}
