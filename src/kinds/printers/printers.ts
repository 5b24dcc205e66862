import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { Release } from "../../catalog/api-resource.ts";
import { minorOf } from "../../catalog/release.ts";
import type { GroupPrinters, Printer } from "../../codec/tables/printer.ts";
import { certificatesPrinters, rbacPrinters } from "./access.ts";
import { admissionRegistrationPrinters } from "./admissionregistration.ts";
import { autoscalingPrinters } from "./autoscaling.ts";
import { corePrinters, resourceQuotaPrinter, serviceAccountPrinter } from "./core.ts";
import { eventPrinter } from "./event.ts";
import { flowcontrolPrinters } from "./flowcontrol.ts";
import {
  apiregistrationPrinters,
  coordinationPrinters,
  internalPrinters,
  nodeApiPrinters,
  schedulingPrinters,
  storagemigrationPrinters,
} from "./machinery.ts";
import { discoveryPrinters, networkingPrinters } from "./networking.ts";
import { policyPrinters } from "./policy.ts";
import { resourcePrinters } from "./resource.ts";
import { storagePrinters } from "./storage.ts";
import { appsPrinters, batchPrinters } from "./workloads.ts";

const groups: ReadonlyMap<string, GroupPrinters> = new Map([
  ["", corePrinters],
  ["admissionregistration.k8s.io", admissionRegistrationPrinters],
  ["apiregistration.k8s.io", apiregistrationPrinters],
  ["apps", appsPrinters],
  ["autoscaling", autoscalingPrinters],
  ["batch", batchPrinters],
  ["certificates.k8s.io", certificatesPrinters],
  ["coordination.k8s.io", coordinationPrinters],
  ["discovery.k8s.io", discoveryPrinters],
  ["events.k8s.io", { events: eventPrinter }],
  // What was in extensions lives on in three other groups.
  ["extensions", { ...appsPrinters, ...networkingPrinters, ...policyPrinters }],
  ["flowcontrol.apiserver.k8s.io", flowcontrolPrinters],
  ["internal.apiserver.k8s.io", internalPrinters],
  ["networking.k8s.io", networkingPrinters],
  ["node.k8s.io", nodeApiPrinters],
  ["policy", policyPrinters],
  ["rbac.authorization.k8s.io", rbacPrinters],
  ["resource.k8s.io", resourcePrinters],
  ["scheduling.k8s.io", schedulingPrinters],
  ["storage.k8s.io", storagePrinters],
  ["storagemigration.k8s.io", storagemigrationPrinters],
]);

/** What was shown otherwise from some release after 1.32 on. */
const changes: readonly (GroupResource & { readonly since: Release; readonly printer: Printer })[] = [
  { group: "", resource: "resourcequotas", since: "1.33", printer: resourceQuotaPrinter },
  { group: "", resource: "serviceaccounts", since: "1.35", printer: serviceAccountPrinter },
];

/** How a release shows a resource; undefined for those that have no printer of their own. */
export function printerOf({ group, resource }: GroupResource, release: Release): Printer | undefined {
  const change = changes.find((one) => one.group === group && one.resource === resource);
  if (change !== undefined && minorOf(release) >= minorOf(change.since)) return change.printer;
  const printers = groups.get(group);
  return printers !== undefined && Object.hasOwn(printers, resource) ? printers[resource] : undefined;
}
