import { writeFileSync } from "node:fs";
import type { ClusterCore } from "../cluster/cluster-core.ts";
import { UsedAccess } from "../scenario/used-access.ts";

/**
 * Follows the requests of clients from now on. The result writes the smallest roles for them to the file, which is empty until
 * then, so that a path that cannot be written ends the command at once.
 */
export function openRbacReport(path: string, cluster: ClusterCore): () => Promise<void> {
  writeFileSync(path, "", { mode: 0o600 });
  const used = new UsedAccess();
  cluster.log.follow({ answered: (request) => used.add(request), failed: (request) => used.add(request) });
  return async () => writeFileSync(path, await cluster.access.reportOfRoles(used));
}
