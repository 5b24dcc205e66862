/** Go names that differ from the JSON name in more than the case of the first letter. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["gcePersistentDisk", "GCEPersistentDisk"],
  ["awsElasticBlockStore", "AWSElasticBlockStore"],
  ["nfs", "NFS"],
  ["iscsi", "ISCSI"],
  ["rbd", "RBD"],
  ["cephfs", "CephFS"],
  ["fc", "FC"],
  ["storageos", "StorageOS"],
  ["csi", "CSI"],
  ["dnsPolicy", "DNSPolicy"],
  ["dnsConfig", "DNSConfig"],
  ["os", "OS"],
  ["tty", "TTY"],
  ["ip", "IP"],
  ["httpGet", "HTTPGet"],
  ["httpHeaders", "HTTPHeaders"],
  ["tcpSocket", "TCPSocket"],
  ["grpc", "GRPC"],
  ["seLinuxOptions", "SELinuxOptions"],
  ["seLinuxChangePolicy", "SELinuxChangePolicy"],
  ["gmsaCredentialSpecName", "GMSACredentialSpecName"],
  ["gmsaCredentialSpec", "GMSACredentialSpec"],
  ["fsGroup", "FSGroup"],
  ["fsGroupChangePolicy", "FSGroupChangePolicy"],
  ["fsType", "FSType"],
  ["iqn", "IQN"],
  ["iscsiInterface", "ISCSIInterface"],
  ["pdName", "PDName"],
  ["wwids", "WWIDs"],
  ["apiVersion", "APIVersion"],
  ["apiGroup", "APIGroup"],
  ["uid", "UID"],
]);

/** The Go name of a field by its JSON name. */
export function goFieldName(name: string): string {
  return otherNames.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1);
}
