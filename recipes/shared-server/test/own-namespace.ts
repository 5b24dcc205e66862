import { CoreV1Api, KubeConfig, StorageV1Api } from "@kubernetes/client-node";
import { test as base, inject } from "vitest";

interface Fixtures {
  readonly kubeConfig: KubeConfig;
  /** A namespace of this test only: it isolates tests on a shared server. */
  readonly namespace: string;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  kubeConfig: async ({}, use) => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(inject("kubedouble").kubeconfig);
    await use(kubeConfig);
  },
  namespace: async ({ kubeConfig }, use) => {
    const core = kubeConfig.makeApiClient(CoreV1Api);
    const created = await core.createNamespace({ body: { metadata: { generateName: "test-" } } });
    const name = created.metadata?.name ?? "";
    await use(name);
    await core.deleteNamespace({ name });
  },
});

export { CoreV1Api, StorageV1Api };
