-- Says that a node lives, or leaves, and how many there are.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local silent_after = 3000
if ARGV[2] == '1' then
  redis.call('ZADD', KEYS[1], now, ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - silent_after)
-- Of before the clock was set back: who lives comes again.
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + silent_after, '+inf')
redis.call('PEXPIRE', KEYS[1], 2 * silent_after)
return { redis.call('ZCARD', KEYS[1]) }
