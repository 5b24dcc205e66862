import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import type { Failure } from "./failure.ts";
import { failures } from "./failure-table.ts";
import { type ConnectTo, FailureWorld } from "./failure-world.ts";
import { clientBehindMasks } from "./masked-names.ts";

/** Every failure of the table, as a client encounters it through a transport, behaves like one of kube-apiserver. */
export function failuresThrough(title: string, connect: ConnectTo): void {
  describeFailures(title, connect, throughTransports, meeting);
}

/** The same from a cluster with masked names, by a client that sees real ones. */
export function failuresBehindMasks(title: string, connect: ConnectTo): void {
  const masking: ConnectTo = async (cluster) => clientBehindMasks(await connect(cluster));
  describeFailures(title, masking, throughTransports, meeting, "svc");
}

/** The same for failures of connections that change protocols, which need a port. */
export function failuresOfUpgrades(title: string, connect: ConnectTo): void {
  const upgraded = Object.entries(failures).filter(([, { upgrades }]) => upgrades === true);
  describeFailures(title, connect, upgraded, meeting);
}

const throughTransports = Object.entries(failures).filter(([, { upgrades }]) => upgrades !== true);

const meeting =
  ({ meet, expected }: Failure) =>
  async (world: FailureWorld): Promise<void> => {
    expect(await meet(world)).toEqual(expected);
    world.cluster.faults.check();
  };

/**
 * The same through a library that intercepts requests and may read every response to its end at once. A failure that such
 * a client cannot feel is a near miss.
 */
export function failuresThroughInterceptor(title: string, connect: ConnectTo): void {
  describeFailures(title, connect, throughTransports, ({ meet, expected, buffered }) => async (world) => {
    const seen = await meet(world);
    const isBuffered = buffered !== undefined && seen.join() === buffered.join();
    expect(seen).toEqual(isBuffered ? buffered : expected);
    const check = () => world.cluster.faults.check();
    if (isBuffered) expect(check).toThrow("was not affected: the watch ");
    else check();
  });
}

function describeFailures(
  title: string,
  connect: ConnectTo,
  chosen: readonly (readonly [name: string, failure: Failure])[],
  playing: (failure: Failure) => (world: FailureWorld) => Promise<void>,
  identifiers: "kubernetes" | "svc" = "kubernetes",
): void {
  describe(title, () => {
    let original: Cluster;
    let simulated: Cluster;
    beforeAll(async () => {
      simulated = createCluster({ simulate: true, seed: 1, identifiers });
      if (chosen.some(([, failure]) => failure.simulated)) await simulated.settle();
      original = createCluster({ controllers: [], identifiers });
      for (const name of ["a", "b", "c"])
        await original.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    });
    afterAll(() => Promise.all([original.close(), simulated.close()]));

    test.each(chosen)("%s", async (_name, failure) => {
      const world = new FailureWorld((failure.simulated ? simulated : original).fork(), connect);
      try {
        await playing(failure)(world);
      } finally {
        await world.close();
      }
    });
  });
}
