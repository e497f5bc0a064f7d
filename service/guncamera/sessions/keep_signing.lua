-- Keep the signing keys, unless they have changed since they were read. They never expire.
-- KEYS: where they are kept
-- ARGV: what was kept when they were read, empty for nothing; what is kept from now on
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
