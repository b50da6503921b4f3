// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::quota {

/// The script of nodes of version 1, as it was shipped: such nodes run beside others while a cluster is updated.
inline constexpr std::string_view acquire_script_1 =
    R"lua(-- One identity's shared quotas: reconciles what the calling node holds, judges strikes, and grants tokens.
-- Times are microseconds of this server's clock.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local minute_length, day_length, strike_length = 60000000, 86400000000, 1000000
local bans_remembered, node_forgotten_after, purge_interval = 12, 300000000, 60000000
local leases_live = 1500000 -- after that nobody holds an unused token of a grant that would still be returned

local function arg(i) return tonumber(ARGV[i]) end
local function int(x) return string.format('%.0f', x) end

local key, node = KEYS[1], 'n' .. ARGV[1]
local generation, sequence = arg(2), arg(3)
local per_minute, per_day, continuous = arg(4), arg(5), arg(6) == 1
local nodes, want, waiting = math.max(1, arg(7)), arg(8), arg(9)
local claimed_minute, claimed_minute_count, claimed_day, claimed_day_count = arg(10), arg(11), arg(12), arg(13)
local returned_ns, returned_mark = arg(14), arg(15)
local strikes, ban_strikes, ban_base, ban_max, pardoned = arg(16), arg(17), arg(18), arg(19), arg(20)
local never_banned = arg(21) == 1
local known_born, earlier_day, earlier_count, known_full_at = arg(22), arg(23), arg(24), arg(25)

local stored = redis.call('HMGET', key, 'm', 'u', 'd', 'v', 's', 't', 'g', 'a', 'b', 'k', 'x', 'p', 'c', 'h', 'o', node)
local function field(i) return tonumber(stored[i]) or 0 end
local minute_end, minute_used, day, day_used = field(1), field(2), field(3), field(4)
local full_at, full_at_ns, granted_at = field(5), field(6), field(7)
local announced_at, announced_until, strikes_gone_at = field(8), field(9), field(10)
local ban_until, pardoned_before, purge_at = field(11), field(12), field(13)
local bans = {}
for begun in string.gmatch(stored[14] or '', '%d+') do bans[#bans + 1] = tonumber(begun) end

-- Since when this key has been counted. A node that was told of another time took tokens that are not counted here.
local born = field(15)
if born == 0 then born = now end
local has_forgotten = known_born ~= 0 and known_born ~= born

-- What this node said last. A call that was overtaken by a later one of the same node changes nothing.
local known = { 0, 0, 0, 0, 0, 0 } -- generation, sequence, minute, its count, day, its count
local i = 0
for number in string.gmatch(stored[16] or '', '%d+') do i = i + 1; known[i] = tonumber(number) end
if sequence <= known[2] then return { 0 } end
-- What was forgotten is claimed whole, and so takes the place of what an earlier generation has said here since.
if known[1] ~= generation and not has_forgotten then known = { generation, 0, 0, 0, 0, 0 } end

-- Periods that are over are empty; a clock that was set back prolongs none.
if minute_end > now + minute_length then minute_end = now + minute_length end
if minute_end <= now then minute_end, minute_used = 0, 0 end
local today = math.floor(now / day_length)
if day < today then day, day_used = today, 0 end
if day > today + 1 then day = today end
local interval = math.floor((minute_length * 1000 + per_minute - 1) / per_minute) -- ns for a token to come back
local owed = math.max((full_at - now) * 1000 + full_at_ns, 0)
if has_forgotten then owed = math.max(owed, (known_full_at - now) * 1000) end
owed = math.min(owed, per_minute * interval)

-- The node's claim replaces what is recorded of it: unused tokens come back, and so do those of an answer that was
-- lost; what a failover forgot is counted again.
if claimed_minute <= now or claimed_minute > now + minute_length then claimed_minute = 0 end
if continuous and minute_end == 0 then claimed_minute = 0 end -- what others took of it is owed already
if claimed_minute ~= 0 and minute_end == 0 then minute_end = claimed_minute end
if known[3] == minute_end then minute_used = minute_used - known[4] end
if claimed_minute ~= 0 then minute_used = minute_used + claimed_minute_count end
minute_used = math.max(0, minute_used)
local minute_count = claimed_minute ~= 0 and claimed_minute == minute_end and claimed_minute_count or 0
local day_count = claimed_day == day and claimed_day_count or 0
if has_forgotten and earlier_day == day then day_count = day_count + earlier_count end
day_used = math.max(0, day_used + day_count - (known[5] == day and known[6] or 0))
if returned_ns > 0 and returned_mark > now then
  owed = math.max(0, owed - math.min(returned_ns, (returned_mark - now) * 1000))
end

-- A plan that refills in another way keeps the tokens in use.
if continuous and minute_used > 0 then
  owed = math.min(math.max(owed, minute_used * interval), per_minute * interval)
  minute_end, minute_used, minute_count = 0, 0, 0
elseif not continuous and owed > 0 then
  if minute_end == 0 then minute_end = now + minute_length end
  minute_used = math.max(minute_used, math.ceil(owed / interval))
  owed = 0
end

-- Bans. A pardon ends what began before it; strikes leave at one a second; each ban within a day doubles the next.
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
      if begun > now - day_length then length = math.min(length * 2, ban_max) end
    end
    ban_until = now + math.min(length, ban_max)
    bans[#bans + 1] = now
    if #bans > bans_remembered then table.remove(bans, 1) end
  end
end

-- The grant: both quotas or neither. Requests that wait get what there is, at once: it is used at once. What is taken
-- ahead of need is never so much that the other nodes find nothing.
local minute_left = per_minute - minute_used
if continuous then minute_left = math.floor((per_minute * interval - owed) / interval) end
local left = minute_left
if per_day > 0 then left = math.min(left, per_day - day_used) end
local granted = 0
local is_banned = ban_until > now and not never_banned
if want > 0 and left > 0 and not is_banned then
  granted = math.min(want, left, math.max(1, waiting, math.floor(left / (2 * nodes))))
  left, minute_left = left - granted, minute_left - granted
  if continuous then
    owed = owed + granted * interval
  else
    if minute_end == 0 then minute_end = now + minute_length end
    minute_used, minute_count = minute_used + granted, minute_count + granted
  end
  if per_day > 0 then day_used, day_count = day_used + granted, day_count + granted end
  if granted > 1 or waiting == 0 then granted_at = now end
end

-- The first refusal announces how long to wait; who does not is struck.
if waiting > granted and left <= 0 and not is_banned and now >= announced_until then
  local free_at = now
  if minute_left <= 0 then
    free_at = continuous and now + math.ceil((owed - (per_minute - 1) * interval) / 1000) or minute_end
  end
  if per_day > 0 and per_day <= day_used then free_at = math.max(free_at, (day + 1) * day_length) end
  announced_at, announced_until = now, free_at
end

full_at, full_at_ns = now + math.floor(owed / 1000), owed % 1000
local record = { generation, sequence, minute_end, minute_count, day, day_count, math.floor(now / 1000000) }
for j = 1, #record do record[j] = int(record[j]) end
for j = 1, #bans do bans[j] = int(bans[j]) end
redis.call('HSET', key, 'm', int(minute_end), 'u', int(minute_used), 'd', int(day), 'v', int(day_used),
  's', int(full_at), 't', int(full_at_ns), 'g', int(granted_at), 'a', int(announced_at), 'b', int(announced_until),
  'k', int(strikes_gone_at), 'x', int(ban_until), 'p', int(pardoned_before), 'h', table.concat(bans, ' '),
  'o', int(born), node, table.concat(record, ' '))

-- Nodes that have long been silent are forgotten: they begin a new generation when they come back.
if now >= purge_at then
  local all = redis.call('HGETALL', key)
  for j = 1, #all, 2 do
    if string.sub(all[j], 1, 1) == 'n' then
      local seen = tonumber(string.match(all[j + 1], '%d+$'))
      if seen * 1000000 < now - node_forgotten_after then redis.call('HDEL', key, all[j]) end
    end
  end
  redis.call('HSET', key, 'c', int(now + purge_interval))
end

-- The key goes when it says nothing any more.
local says_something_until = math.max(minute_end, full_at, announced_until, strikes_gone_at, ban_until)
if day_used > 0 then says_something_until = math.max(says_something_until, (day + 1) * day_length) end
if #bans > 0 then says_something_until = math.max(says_something_until, bans[#bans] + day_length) end
redis.call('PEXPIRE', key, int(math.ceil((says_something_until - now) / 1000) + 5000))

local others_hold_tokens = now - granted_at < leases_live and 1 or 0
return { 1, now, granted, minute_end, minute_used, day, day_used, full_at, full_at_ns, announced_at, announced_until,
  ban_until, #bans > 0 and tonumber(bans[#bans]) or 0, others_hold_tokens, born }
)lua";

}  // namespace petstore::quota
