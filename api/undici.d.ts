// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { DispatcherOptions, UndiciModule, createDispatcher };

// src/request/handler.ts

// as in index.d.ts: ApiRequest, ApiResponse, ApiResponseBody, Handler, HeaderLookup

// src/request/peer.ts

// as in index.d.ts: Peer, PeerCertificate

// src/request/reachability.ts

// as in index.d.ts: Reachability

// src/transports/served.ts

interface Served {
    readonly handler: Handler;
    adminToken(): string;
    readonly reachability?: Reachability;
}

// src/transports/undici.ts

interface DispatcherOptions<D> {
    readonly origin?: string;
    readonly otherwise?: D;
}

interface UndiciModule<D> {
    readonly Dispatcher: new () => D;
}

function createDispatcher<D extends object>(cluster: Served, undici: UndiciModule<D>, options?: DispatcherOptions<D>): D;
