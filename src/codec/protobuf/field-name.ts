/** Words that Go capitalizes as a whole at the start of a field's name. */
const capitals =
  /^(?:api|ca|cel|cidr|csi|dns|fc|fs|gid|grpc|http|id|ip|iscsi|json|nfs|os|pkix|qos|qps|rbd|tcp|tls|ttl|tty|uid|url)(?=s?(?:$|[A-Z]))/;

/** The name of a field in errors of upstream's decoder: usually the name in Go. */
export function goFieldName(name: string): string {
  return name
    .replace(capitals, (word) => word.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
