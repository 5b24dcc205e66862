import { expect, test } from "vitest";
import { goFieldName } from "./go-field-name.ts";

test.each([
  ["containers", "Containers"],
  ["nodeID", "NodeID"],
  ["apiGroups", "APIGroups"],
  ["apiVersion", "APIVersion"],
  ["ip", "IP"],
  ["ipFamilies", "IPFamilies"],
  ["cidrs", "CIDRs"],
  ["wwids", "WWIDs"],
  ["identifier", "Identifier"],
  ["uid", "UID"],
  ["httpGet", "HTTPGet"],
  ["fsGroupChangePolicy", "FSGroupChangePolicy"],
  ["gcePersistentDisk", "GCEPersistentDisk"],
  ["cephfs", "CephFS"],
  ["storageos", "StorageOS"],
  ["seLinuxOptions", "SELinuxOptions"],
])("the field %s is %s in Go", (name, goName) => {
  expect(goFieldName(name)).toBe(goName);
});
