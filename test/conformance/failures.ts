import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { failures } from "./failure-table.ts";
import { type ConnectTo, FailureWorld } from "./failure-world.ts";

/** Every failure of the table, as a client encounters it through a transport, behaves like one of kube-apiserver. */
export function failuresThrough(title: string, connect: ConnectTo): void {
  describe(title, () => {
    let original: Cluster;
    beforeAll(async () => {
      original = createCluster({ controllers: [] });
      for (const name of ["a", "b", "c"])
        await original.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    });
    afterAll(() => original.close());

    test.each(Object.entries(failures))("%s", async (_name, { meet, expected }) => {
      const world = new FailureWorld(original.fork(), connect);
      try {
        expect(await meet(world)).toEqual(expected);
        world.cluster.faults.check();
      } finally {
        await world.close();
      }
    });
  });
}
