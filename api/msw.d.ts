// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { attach, kubernetesHandlers };

// uses * from msw

// src/request/handler.ts

// as in index.d.ts: ApiRequest, ApiResponse, ApiResponseBody, Handler, HeaderLookup

// src/request/peer.ts

// as in index.d.ts: Peer, PeerCertificate

// src/request/reachability.ts

// as in index.d.ts: Reachability

// src/transports/msw.ts

function attach(cluster: Served, origin: string): {
    detach(): void;
};

function kubernetesHandlers(cluster: Served, origin: string): msw.HttpHandler[];

// src/transports/served.ts

interface Served {
    readonly handler: Handler;
    adminToken(): string;
    readonly reachability?: Reachability;
}
