-- Adds a node to the living nodes, or removes it. Answers the number of nodes, the run of this server, the time since
-- when it has its data, the number of nodes of version 1, and for how long there have been none of them (in ms). A new
-- run may have lost the last writes; a server with other data has lost everything.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nodes, since, of_this_version = KEYS[1], KEYS[2], KEYS[3]

local silent_after, alone_kept = 3000, 60000

-- The list of the nodes of this version also has the time since when there are no others. It is forgotten when no node of
-- this version has lived for a minute, since nodes of version 1 may have come and gone meanwhile; and a user who may not
-- read it has just forgotten it.
local told_alone = redis.pcall('ZSCORE', of_this_version, 'alone')
local alone_since = type(told_alone) == 'string' and tonumber(told_alone) or now
for _, living in ipairs({ nodes, of_this_version }) do
  if ARGV[2] == '1' then
    redis.call('ZADD', living, now, ARGV[1])
  else
    redis.call('ZREM', living, ARGV[1])
  end
  redis.call('ZREMRANGEBYSCORE', living, '-inf', now - silent_after)
  -- Removes entries from before the clock was set back; living nodes add themselves again.
  redis.call('ZREMRANGEBYSCORE', living, now + silent_after, '+inf')
  redis.call('PEXPIRE', living, 2 * silent_after)
end
-- Only now: a full server refuses a script whose first write needs memory, and lets one go on that has written.
redis.call('ZREM', of_this_version, 'alone')
local count = redis.call('ZCARD', nodes)
local old_count = count - redis.call('ZCARD', of_this_version)
if old_count > 0 or alone_since > now then alone_since = now end
redis.call('ZADD', of_this_version, alone_since, 'alone')
redis.call('PEXPIRE', of_this_version, alone_kept)

local begun = tonumber(redis.call('GET', since) or 0)
if not begun then return redis.error_reply('PETSTORE the value of ' .. since .. ' is not a time') end
if begun == 0 then
  begun = time[1] * 1000000 + time[2]
  redis.call('SET', since, string.format('%.0f', begun))
end

-- Twelve digits of the run_id fit into a number. It is 0 if the user may not run INFO: nodes then notice a new run by
-- their new connections.
local told = redis.pcall('INFO', 'server')
local run = type(told) == 'string' and string.match(told, 'run_id:(%x+)') or '0'
return { count, tonumber(string.sub(run, 1, 12), 16), begun, old_count, now - alone_since }
