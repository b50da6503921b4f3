-- One call for one shared quota: takes the claim of the calling node, counts strikes, grants tokens, recalls tokens.
-- README.md in the parent directory has the guarantees and their proof. Times are microseconds of this server's clock.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local version, minute_length, day_length = 2, 60000000, 86400000000
local node_forgotten_after, records_max = 300, 1000 -- seconds; node records of one key

local node, generation, sequence, per_minute, per_day, is_continuous, nodes, want, waiting, held, looks, patience,
  claimed_minute, claimed_minute_count, claimed_day, claimed_day_count, returned_ns, returned_mark,
  strikes, ban_strikes, ban_base, ban_max, strike_length, ban_memory, bans_remembered, pardoned, is_never_banned,
  known_born, earlier_day, earlier_count, known_full_at, has_old_nodes, cheapest,
  dearest = struct.unpack('<dddddddddddddddddddddddddddddddddd', ARGV[1])
-- There is no `old_key` once no hash of version 1 can have tokens of an open period. So a call has one key: a cluster that
-- moves a slot refuses calls with more keys until all of the slot has moved.
local key, old_key, channel = KEYS[1], KEYS[2], ARGV[2]
local continuous, never_banned = is_continuous == 1, is_never_banned == 1

-- The value: a head, parts that most keys do not have, and a record of each node, the node that called last at the end.
local head_form, bucket_form, penalty_form, time_form = '<BBI7I5I3I6I7', '<I7I2', '<I7I7I7I7I7B', '<I7'
-- Node, generation, sequence, tokens claimed of the minute and of the day, tokens it may hold, whether these were
-- recalled, time of its last call (in seconds).
local record_form, record_size, held_place = '<I6I5I5I4I6I3BI4', 34, 26

local minute_end, minute_used, day, day_used, born = 0, 0, 0, 0, now
local full_at, full_at_ns, recalled_at = 0, 0, 0
local announced_at, announced_until, strikes_gone_at, ban_until, pardoned_before = 0, 0, 0, 0, 0
local bans, others = {}, ''
local may_be_old = old_key ~= nil -- whether nodes of version 1 may have counted this key
local value = redis.call('GET', key)
if value then
  local stored_version = string.byte(value)
  if stored_version ~= version then
    return redis.error_reply('PETSTORE the value of ' .. key .. ' has version ' .. tostring(stored_version) ..
      ', this node knows version ' .. version)
  end
  local parts, ban_count, at
  stored_version, parts, minute_end, minute_used, day, day_used, born, at = struct.unpack(head_form, value)
  may_be_old = parts >= 8
  if parts % 2 >= 1 then full_at, full_at_ns, at = struct.unpack(bucket_form, value, at) end
  if parts % 4 >= 2 then recalled_at, at = struct.unpack(time_form, value, at) end
  if parts % 8 >= 4 then
    announced_at, announced_until, strikes_gone_at, ban_until, pardoned_before, ban_count, at =
      struct.unpack(penalty_form, value, at)
    for j = 1, ban_count do bans[j], at = struct.unpack(time_form, value, at) end
  end
  others = string.sub(value, at)
end

-- `born` is when this key was first counted. If the node knows another time, it took tokens that are not counted here.
local has_forgotten = known_born ~= 0 and known_born ~= born

-- The record of this node. A call changes nothing if a later call of the same node ran before it.
local known_generation, known_sequence, known_minute_count, known_day_count, known_heard = 0, 0, 0, 0, 0
for at = 1, #others, record_size do
  if struct.unpack('<I6', others, at) == node then
    local _
    _, known_generation, known_sequence, known_minute_count, known_day_count, _, _, known_heard =
      struct.unpack(record_form, others, at)
    others = string.sub(others, 1, at - 1) .. string.sub(others, at + record_size)
    break
  end
end
if sequence <= known_sequence then return { 0 } end
-- A claim of a new generation adds to what is recorded of the old one. But after a loss the claim has all tokens of the
-- node, so it replaces the record of any generation.
if known_generation ~= generation and not has_forgotten then known_minute_count, known_day_count = 0, 0 end

-- Periods that are over are empty, and claims of them count for nothing. A clock that was set back prolongs no period.
local minute_before, day_before = minute_end, day
if minute_end > now + minute_length then minute_end = now + minute_length end
if minute_end <= now then minute_end, minute_used = 0, 0 end
local today = math.floor(now / day_length)
if day < today then day, day_used = today, 0 end
if day > today + 1 then day = today end
if minute_end ~= minute_before then known_minute_count = 0 end
if day ~= day_before then known_day_count = 0 end

-- Nodes of version 1 keep a hash under another key. In this hash, all nodes of this version are one node, `n2`. For
-- this version, the tokens that nodes of version 1 took are in use.
local old_minute, old_day, old_minute_end, writes_old = 0, 0, 0, old_key and has_old_nodes == 1
local has_old = may_be_old
if old_key and (may_be_old or writes_old) then
  local old = redis.call('HMGET', old_key, 'm', 'u', 'd', 'v', 's', 'x', 'n2')
  has_old = old[1] and true or false
  local function field(i) return tonumber(old[i] or 0) end
  local _, _, our_minute, our_minute_count, our_day, our_day_count =
    string.match(old[7] or '0 0 0 0 0 0', '(%d+) (%d+) (%d+) (%d+) (%d+) (%d+)')
  if field(1) > now and field(1) <= now + minute_length then
    old_minute_end = field(1)
    old_minute = math.max(0, field(2) - (tonumber(our_minute) == old_minute_end and tonumber(our_minute_count) or 0))
    if minute_end == 0 and not continuous then minute_end = old_minute_end end
  end
  if field(3) == day then
    old_day = math.max(0, field(4) - (tonumber(our_day) == day and tonumber(our_day_count) or 0))
  end
  if field(5) > full_at then full_at, full_at_ns = field(5), 999 end
  ban_until = math.max(ban_until, field(6))
end

-- After the clock was set back, a recall and a refusal that lie ahead are none, and no ban is longer than the longest.
if recalled_at > now then recalled_at = 0 end
if announced_at > now then announced_at, announced_until = 0, 0 end
ban_until = math.min(ban_until, now + ban_max)

local interval = math.floor((minute_length * 1000 + per_minute - 1) / per_minute) -- ns until a token is refilled
local owed = math.max((full_at - now) * 1000 + full_at_ns, 0)
if has_forgotten then owed = math.max(owed, (known_full_at - now) * 1000) end
owed = math.min(owed, per_minute * interval)

-- The node's claim replaces its record: unused tokens come back, tokens of a lost answer come back, and tokens that a
-- failover forgot are counted again.
if claimed_minute <= now or claimed_minute > now + minute_length then claimed_minute = 0 end
if continuous and minute_end == 0 then claimed_minute = 0 end -- `owed` has what others took of it
if claimed_minute ~= 0 and minute_end == 0 then minute_end = claimed_minute end
minute_used = minute_used - known_minute_count
if claimed_minute ~= 0 then minute_used = minute_used + claimed_minute_count end
minute_used = math.max(0, minute_used)
local minute_count = claimed_minute ~= 0 and claimed_minute == minute_end and claimed_minute_count or 0
local day_count = claimed_day == day and claimed_day_count or 0
if has_forgotten and earlier_day == day then day_count = day_count + earlier_count end
day_used = math.max(0, day_used + day_count - known_day_count)
if returned_ns > 0 and returned_mark > now then
  owed = math.max(0, owed - math.min(returned_ns, (returned_mark - now) * 1000))
end

-- After a change between periodic and continuous refill, the tokens in use stay in use.
if continuous and minute_used > 0 then
  owed = math.min(math.max(owed, minute_used * interval), per_minute * interval)
  minute_end, minute_used, minute_count = 0, 0, 0
elseif not continuous and owed > 0 then
  if minute_end == 0 then minute_end = now + minute_length end
  minute_used = math.max(minute_used, math.ceil(owed / interval))
  owed = 0
end

-- Once a minute, and when a period ends, the records of the other nodes are brought up to date: claims of a period that
-- is over count for nothing, and a node without claims holds no tokens. Nodes that were silent for long are forgotten,
-- unless they hold tokens of this day; they begin a new generation when they call again. Nodes that took tokens of this
-- day are forgotten the second time, since it may be the clock that was set forward. Meanwhile they are marked: they
-- hold nothing and are recalled.
local second = math.floor(now / 1000000)
local is_new_minute, is_new_day = minute_end ~= minute_before, day ~= day_before
if others ~= '' and (is_new_minute or is_new_day or math.floor(known_heard / 60) ~= math.floor(second / 60)) then
  local kept = {}
  for at = 1, #others, record_size do
    local its_node, its_generation, its_sequence, of_minute, of_day, holds, is_recalled, heard =
      struct.unpack(record_form, others, at)
    if is_new_minute then of_minute = 0 end
    if is_new_day then of_day = 0 end
    if of_minute == 0 and of_day == 0 and not continuous then holds = 0 end
    local is_kept = heard >= second - node_forgotten_after or (holds > 0 and of_day > 0)
    if not is_kept and of_day > 0 and is_recalled == 0 then is_kept, is_recalled, heard = true, 1, second end
    if is_kept then
      kept[#kept + 1] = struct.pack(record_form, its_node, its_generation, its_sequence, of_minute, of_day, holds,
        is_recalled, heard)
    end
  end
  others = table.concat(kept, '', math.max(1, #kept - records_max + 2))
end

-- Bans. A pardon ends bans that began before it. Each strike counts for some time, one after the other. Each remembered
-- ban doubles the length of the next.
local begins_ban = false
if pardoned > pardoned_before then
  pardoned_before = pardoned
  if #bans == 0 or bans[#bans] <= pardoned then
    ban_until, announced_at, announced_until, strikes_gone_at, bans = 0, 0, 0, 0, {}
  end
end
if strikes > 0 and ban_strikes > 0 and not never_banned and ban_until <= now then
  local most = now + ban_strikes * strike_length
  strikes_gone_at = math.min(math.max(strikes_gone_at, now) + strikes * strike_length, most)
  if strikes_gone_at > most - strike_length then
    local length = ban_base
    for _, begun in ipairs(bans) do
      if begun > now - ban_memory then length = math.min(length * 2, ban_max) end
    end
    begins_ban, ban_until = true, now + math.min(length, ban_max)
    bans[#bans + 1] = now
    if #bans > bans_remembered then table.remove(bans, 1) end
  end
end

-- The grant takes tokens of both quotas or of neither. Waiting requests get what is left, since they use it at once, if
-- it is enough for one of them. A node gets only a part of the rest in advance, so that the other nodes find tokens, too.
local minute_left = per_minute - minute_used - old_minute
if continuous then minute_left = math.floor((per_minute * interval - owed) / interval) end
local left = minute_left
if per_day > 0 then left = math.min(left, per_day - day_used - old_day) end
local granted = 0
local is_banned = ban_until > now and not never_banned
if want > 0 and left > 0 and left >= cheapest and not is_banned then
  granted = math.min(want, left, math.max(1, waiting, math.floor(left / (2 * math.max(1, nodes)))))
  left, minute_left = left - granted, minute_left - granted
  if continuous then
    owed = owed + granted * interval
  else
    if minute_end == 0 then minute_end = now + minute_length end
    minute_used, minute_count = minute_used + granted, minute_count + granted
  end
  if per_day > 0 then day_used, day_count = day_used + granted, day_count + granted end
end

-- The recall: if a call gets too few tokens, or reads what is left, the other nodes give back the tokens that they hold
-- and do not need. A recall marks the record of each such node. It is published again only for a node that has called
-- in between. The caller does not wait for nodes that do not answer in time. The begin of a ban is a recall, too.
local holders = 0 -- 0: no other node holds tokens, 1: some do and do not answer, 2: the recall was a moment ago
local is_short = waiting > granted and not is_banned
if is_short or begins_ban or looks == 1 then
  local all, is_news = {}, false
  for at = 1, #others, record_size do
    local record = string.sub(others, at, at + record_size - 1)
    local holds, is_recalled = struct.unpack('<I3B', record, held_place + 1)
    if holds > 0 then
      holders = 1
      if is_recalled == 0 then
        is_news = true
        record = string.sub(record, 1, held_place) .. struct.pack('<I3B', holds, 1) ..
          string.sub(record, held_place + 5)
      end
    end
    all[#all + 1] = record
  end
  if is_news then
    others, recalled_at = table.concat(all), now
    redis.pcall('PUBLISH', channel, struct.pack('<I6', node) .. key) -- if it fails, the caller waits in vain
  end
  if holders == 1 and now - recalled_at < patience then holders = 2 end
end
if now - recalled_at > 1000000 then recalled_at = 0 end
if is_short and holders == 0 and writes_old then holders = 1 end -- nodes of version 1 receive no recall

-- The first refusal announces how long to wait. Requests that do not wait are strikes. While there are tokens, but too
-- few, a cheaper request may pass, so nothing is announced.
if is_short and left <= 0 and holders < 2 and now >= announced_until then
  local free_at = now
  if minute_left <= 0 then
    free_at = continuous and now + math.ceil((owed - (per_minute - 1) * interval) / 1000) or minute_end
  end
  if per_day > 0 and per_day <= day_used + old_day then free_at = math.max(free_at, (day + 1) * day_length) end
  announced_at, announced_until = now, free_at
end

full_at, full_at_ns = now + math.floor(owed / 1000), owed % 1000
-- Of a grant that is smaller than the waiting requests need, the node keeps at most what is too little for one of them.
local kept = granted >= waiting and granted - waiting or math.min(granted, dearest - 1)
held = math.min(held + kept, 16777215)
local parts, words = 0, { '' }
if owed > 0 then
  parts = 1
  words[#words + 1] = struct.pack(bucket_form, full_at, full_at_ns)
end
if recalled_at > 0 then
  parts = parts + 2
  words[#words + 1] = struct.pack(time_form, recalled_at)
end
if has_old or writes_old then parts = parts + 8 end
if announced_at + strikes_gone_at + ban_until + pardoned_before + #bans > 0 then
  parts = parts + 4
  words[#words + 1] = struct.pack(penalty_form, announced_at, announced_until, strikes_gone_at, ban_until,
    pardoned_before, #bans)
  for j = 1, #bans do words[#words + 1] = struct.pack(time_form, bans[j]) end
end
words[1] = struct.pack(head_form, version, parts, minute_end, minute_used, day, day_used, born)
words[#words + 1] = others
words[#words + 1] = struct.pack(record_form, node, generation, sequence, minute_count, day_count, held, 0, second)

-- The key expires when it has no more information.
local says_something_until = math.max(minute_end, full_at, announced_until, strikes_gone_at, ban_until)
if day_used > 0 then says_something_until = math.max(says_something_until, (day + 1) * day_length) end
if #bans > 0 then says_something_until = math.max(says_something_until, bans[#bans] + ban_memory) end
local lives_ms = math.ceil((says_something_until - now) / 1000) + 5000
redis.call('SET', key, table.concat(words), 'PX', string.format('%.0f', lives_ms))

if writes_old then
  if old_minute_end == 0 then old_minute_end = minute_end end
  -- The last field is a time in the future, since their script forgets nodes that were silent for long.
  local ours = string.format('0 0 %.0f %.0f %.0f %.0f %.0f', old_minute_end, minute_used, day, day_used,
    now / 1000000 + 1e6)
  redis.call('HSET', old_key, 'm', string.format('%.0f', old_minute_end), 'u',
    string.format('%.0f', old_minute + minute_used), 'd', day, 'v', string.format('%.0f', old_day + day_used), 's',
    string.format('%.0f', owed > 0 and full_at or 0), 't', full_at_ns, 'g', string.format('%.0f', now), 'x',
    string.format('%.0f', ban_until), 'n2', ours)
  redis.call('PEXPIRE', old_key, string.format('%.0f', lives_ms))
end

return { 1, now, granted, minute_end, minute_used + old_minute, day, day_used + old_day, full_at, full_at_ns,
  announced_at, announced_until, ban_until, bans[#bans] or 0, holders, born }
