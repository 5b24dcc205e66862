import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";

/** The defaults of all releases. Upstream: pkg/kubelet/apis/config/v1beta1/defaults.go. */
const defaults: JsonObject = {
  enableServer: true,
  syncFrequency: "1m0s",
  fileCheckFrequency: "20s",
  httpCheckFrequency: "20s",
  address: "0.0.0.0",
  port: 10_250,
  authentication: {
    x509: {},
    webhook: { enabled: true, cacheTTL: "2m0s" },
    anonymous: { enabled: false },
  },
  authorization: {
    mode: "Webhook",
    webhook: { cacheAuthorizedTTL: "5m0s", cacheUnauthorizedTTL: "30s" },
  },
  registryPullQPS: 5,
  registryBurst: 10,
  enableDebuggingHandlers: true,
  healthzPort: 10_248,
  healthzBindAddress: "127.0.0.1",
  oomScoreAdj: -999,
  streamingConnectionIdleTimeout: "4h0m0s",
  nodeStatusUpdateFrequency: "10s",
  nodeStatusReportFrequency: "5m0s",
  nodeLeaseDurationSeconds: 40,
  imageMinimumGCAge: "2m0s",
  imageGCHighThresholdPercent: 85,
  imageGCLowThresholdPercent: 80,
  volumeStatsAggPeriod: "1m0s",
  cgroupsPerQOS: true,
  cgroupDriver: "cgroupfs",
  cpuManagerPolicy: "none",
  cpuManagerReconcilePeriod: "10s",
  topologyManagerPolicy: "none",
  runtimeRequestTimeout: "2m0s",
  hairpinMode: "promiscuous-bridge",
  podPidsLimit: -1,
  resolvConf: "/etc/resolv.conf",
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: "100ms",
  nodeStatusMaxImages: 50,
  maxOpenFiles: 1_000_000,
  contentType: "application/vnd.kubernetes.protobuf",
  serializeImagePulls: true,
  evictionHard: {
    "imagefs.available": "15%",
    "memory.available": "100Mi",
    "nodefs.available": "10%",
    "nodefs.inodesFree": "5%",
  },
  evictionPressureTransitionPeriod: "5m0s",
  enableControllerAttachDetach: true,
  makeIPTablesUtilChains: true,
  iptablesMasqueradeBit: 14,
  iptablesDropBit: 15,
  failSwapOn: true,
  containerLogMaxSize: "10Mi",
  containerLogMaxFiles: 5,
  configMapAndSecretChangeDetectionStrategy: "Watch",
  enforceNodeAllocatable: ["pods"],
};

/** What `/configz` answers: the configuration of the kubelet of a node, as far as all releases have it. */
export function kubeletConfiguration(node: KubeObject, since: Since): JsonObject {
  const limits = since("1.27")
    ? { eventRecordQPS: 50, eventBurst: 100, kubeAPIQPS: 50, kubeAPIBurst: 100 }
    : { eventRecordQPS: 5, eventBurst: 10, kubeAPIQPS: 5, kubeAPIBurst: 10 };
  const maxPods = Number(textAt(node, "status", "capacity", "pods"));
  return { kubeletconfig: { ...defaults, ...limits, maxPods } };
}
