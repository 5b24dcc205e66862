import { CoordinationV1Api, V1MicroTime } from "@kubernetes/client-node";

/**
 * Holds a Lease, or waits for its holder to lose it, like client-go's leader election: expiry is measured
 * by the candidate's own clock, since the record last changed, so the clocks of other candidates do not matter.
 */
export class LeaderElector {
  #api;
  #options;
  #observed = { record: "", at: 0 };
  #renewedAt = 0;
  #timer;
  isLeading = false;

  /**
   * `clock` has `now()` and `after(milliseconds, callback)`. `started` and `stopped` are called when this candidate
   * becomes leader and stops being leader, `tried` after every attempt.
   */
  constructor(kubeConfig, options) {
    this.#api = kubeConfig.makeApiClient(CoordinationV1Api);
    this.#options = {
      leaseMilliseconds: 15_000,
      renewMilliseconds: 10_000,
      retryMilliseconds: 2_000,
      tried: () => {},
      ...options,
    };
  }

  /** Tries now, and then repeatedly until `stop`. */
  async run() {
    const { clock, retryMilliseconds, tried } = this.#options;
    await this.#attempt();
    this.#timer = clock.after(retryMilliseconds, () => void this.run());
    tried();
  }

  stop() {
    this.#timer?.cancel();
  }

  async #attempt() {
    const { clock, renewMilliseconds, started, stopped } = this.#options;
    // The time before the request, so that no other candidate counts from an earlier moment.
    const now = clock.now();
    if (await this.#holds(now).catch(() => false)) {
      this.#renewedAt = now;
      if (!this.isLeading) started();
      this.isLeading = true;
    } else if (this.isLeading && clock.now() - this.#renewedAt >= renewMilliseconds) {
      this.isLeading = false;
      stopped();
    }
  }

  /** Acquires or renews the Lease. @throws {ApiException} if the request fails or another candidate was faster */
  async #holds(now) {
    const { namespace, name, identity, leaseMilliseconds } = this.#options;
    const lease = await this.#read();
    const spec = { holderIdentity: identity, leaseDurationSeconds: leaseMilliseconds / 1000 };
    const times = { acquireTime: new V1MicroTime(now), renewTime: new V1MicroTime(now) };
    if (lease === undefined) {
      const body = { metadata: { name }, spec: { ...spec, ...times, leaseTransitions: 0 } };
      await this.#api.createNamespacedLease({ namespace, body });
      return true;
    }
    const isOwn = lease.spec.holderIdentity === identity;
    if (!isOwn && !this.#hasExpired(lease, now)) return false;
    const { acquireTime, leaseTransitions = 0 } = lease.spec;
    if (isOwn) Object.assign(spec, times, { acquireTime, leaseTransitions });
    else Object.assign(spec, times, { leaseTransitions: leaseTransitions + 1 });
    // This sends the resourceVersion: if two candidates try at once, one update is refused.
    await this.#api.replaceNamespacedLease({ namespace, name, body: { ...lease, spec } });
    return true;
  }

  async #read() {
    const { namespace, name } = this.#options;
    try {
      return await this.#api.readNamespacedLease({ namespace, name });
    } catch (error) {
      if (error.code === 404) return undefined;
      throw error;
    }
  }

  #hasExpired({ spec }, now) {
    const record = JSON.stringify(spec);
    if (record !== this.#observed.record) this.#observed = { record, at: now };
    return now - this.#observed.at >= spec.leaseDurationSeconds * 1000;
  }
}
