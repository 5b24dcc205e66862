import type { JsonObject } from "../src/apimachinery/json.ts";

/** A pod as clients send it; the server responds with about 2.7 kB. */
export function pod(name: string, labels: { readonly [key: string]: string } = {}): JsonObject {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name,
      labels: { app: "shop", tier: "backend", "pod-template-hash": "5d69f6c8b4", ...labels },
      annotations: { "example.com/config-checksum": "0b4f7f1c" },
    },
    spec: {
      serviceAccountName: "default",
      automountServiceAccountToken: false,
      nodeName: "node-17.example.com",
      containers: [
        {
          name: "shop",
          image: "registry.example.com/shop/backend:1.42.0",
          args: ["--listen=:8080", "--database=$(DATABASE_URL)"],
          env: [
            { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "shop-database", key: "url" } } },
            { name: "LOG_LEVEL", value: "info" },
          ],
          ports: [{ name: "http", containerPort: 8080 }],
          resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
          readinessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 5 },
        },
      ],
    },
  };
}
