import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startTcpProxy } from '#server/db/test/tcp-proxy.ts'
import { IS_ASYNCHRONOUS } from '../sizes.ts'
import { type Cluster, openCluster, timeUntil } from './worlds.ts'

const WITHIN_MS = 60_000

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** A primary and a standby, synchronous unless it is to be measured what is lost without, behind a switch, with a database of the product. */
export async function openPair() {
  let primary = await openCluster()
  let standby: Cluster | undefined
  let isWhole = false
  let endFrozen = async () => {}
  const url = await primary.newDatabase()
  const proxy = await startTcpProxy(url)
  const askPrimary = (statement: string) => primary.ask(primary.url('postgres'), statement)
  const theStandby = () => standby as Cluster

  /** Replaces the standby by a copy of the primary, which stops for it. */
  async function renewStandby() {
    await endFrozen()
    await standby?.stop()
    await primary.end('SIGINT')
    const settings = { primary_conninfo: primary.url('postgres'), wal_retrieve_retry_interval: '100' }
    standby = await openCluster(settings, primary)
    await primary.start()
    if (!IS_ASYNCHRONOUS) {
      await askPrimary(`alter system set synchronous_standby_names = '*'`)
      await askPrimary('select pg_reload_conf()')
    }
    const state = IS_ASYNCHRONOUS ? `state = 'streaming'` : `sync_state = 'sync'`
    const isFollowing = async () => (await askPrimary(`select from pg_stat_replication where ${state}`)).length === 1
    await timeUntil(isFollowing, WITHIN_MS, 'the standby follows')
    isWhole = true
  }

  /** Makes the standby the primary, and leads new connections to it. */
  async function promote() {
    await theStandby().ask(theStandby().url('postgres'), 'select pg_promote()')
    isWhole = false
    ;[primary, standby] = [theStandby(), primary]
    proxy.turnTo(primary.url('postgres'))
  }

  /** Stops every process of the primary in its place, without an end of its connections. */
  async function freeze() {
    const frozen = primary
    const pids = [frozen.pid()]
    process.kill(frozen.pid(), 'SIGSTOP')
    // It makes no further ones now.
    pids.push(...childrenOf(frozen.pid()))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    endFrozen = async () => {
      endFrozen = async () => {}
      const ended = frozen.end('SIGKILL')
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await ended
    }
  }

  await renewStandby()
  return {
    settings: { DATABASE_URL: proxy.through(url) },
    /** Whether the primary has a standby. */
    isWhole: () => isWhole,
    renewStandby,
    async kill() {
      await primary.end('SIGKILL')
      await promote()
    },
    async freeze() {
      await freeze()
      await promote()
    },
    /** No packet passes, and the connections of before never end. */
    async cut() {
      proxy.swallow()
      await pause(5_000)
      proxy.lose()
    },
    async switchOver() {
      await primary.end('SIGINT')
      await promote()
    },
    /** New connections lead to a server that only reads, for some seconds, and then again to the primary. */
    async demote() {
      proxy.turnTo(theStandby().url('postgres'))
      proxy.cut()
      proxy.pass()
      await pause(3_000)
      proxy.turnTo(primary.url('postgres'))
    },
    async close() {
      await endFrozen()
      await Promise.all([primary.stop(), standby?.stop(), proxy.close()])
    },
  }
}
