package dbapi

// What a function does, in the words that several tables use.
const (
	httpRequest  = "an HTTP request"
	grpcCall     = "a gRPC call"
	connection   = "a network connection"
	networkRead  = "a read from the network"
	networkWrite = "a write to the network"
	dnsLookup    = "a DNS look-up"
	subprocess   = "a subprocess"
	requestBody  = "reading the request's body"
	response     = "writing the response"
	objectStore  = "an object-store request"
	otherDB      = "a statement on another database"
	aMail        = "a mail"
)

// netHTTP is the table of net/http, https://pkg.go.dev/net/http, of net, os/exec
// and the other parts of the standard library that leave the process, and of the
// HTTP clients that are built on them.
func netHTTP() *Library {
	const (
		http   = "net/http"
		resty  = "github.com/go-resty/resty/v2"
		retry  = "github.com/hashicorp/go-retryablehttp"
		fast   = "github.com/valyala/fasthttp"
		gowss  = "github.com/gorilla/websocket"
		wss    = "github.com/coder/websocket"
		oauth2 = "golang.org/x/oauth2"
		ssh    = "golang.org/x/crypto/ssh"
	)
	getters := join(
		ext("Get Head", "client url", httpRequest),
		ext("Post", "client url type body", httpRequest),
		ext("PostForm", "client url values", httpRequest),
	)
	fastGetters := join(
		ext("Get GetTimeout GetDeadline Post", "client dst url limit", httpRequest),
	)
	return &Library{
		Name: "http",
		Packages: []string{
			http, "net", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "net/textproto", "crypto/tls", "os/exec",
			resty, retry, fast, gowss, wss, oauth2 + "/...", ssh + "/...", "nhooyr.io/websocket", "golang.org/x/net/websocket",
		},
		Streams: []string{"net/http.Request.Body", "net/http.Response.Body"},
		Funcs: join(
			in(http,
				ext("Get Head", "url", httpRequest),
				ext("Post", "url type body", httpRequest),
				ext("PostForm", "url values", httpRequest),
				f("ListenAndServe", Wait, "addr handler", what("serving requests"), endless),
				f("ListenAndServeTLS", Wait, "addr cert key handler", what("serving requests"), endless),
				f("Serve", Wait, "listener handler", what("serving requests"), endless),
				f("ServeTLS", Wait, "listener handler cert key", what("serving requests"), endless),
				f("NewRequest", Inside, "method url body"),
				f("NewRequestWithContext", Inside, "ctx method url body"),
			),
			on("*"+http+".Client", getters, ext("Do", "client req", httpRequest)),
			on("*"+http+".Transport", ext("RoundTrip", "transport req", httpRequest)),
			on(http+".RoundTripper", ext("RoundTrip", "transport req", httpRequest)),
			on("*"+http+".Server",
				f("ListenAndServe", Wait, "server", what("serving requests"), endless),
				f("ListenAndServeTLS", Wait, "server cert key", what("serving requests"), endless),
				f("Serve", Wait, "server listener", what("serving requests"), endless),
				f("ServeTLS", Wait, "server listener cert key", what("serving requests"), endless),
				f("Shutdown", Wait, "server ctx", what("waiting for open requests")),
			),
			on("*"+http+".Request",
				ext("ParseForm", "req", requestBody),
				ext("ParseMultipartForm", "req max", requestBody),
				ext("FormFile FormValue PostFormValue", "req key", requestBody),
			),
			on(http+".ResponseWriter", f("Write", Slow, "w data", what(response))),

			in("net",
				ext("Dial", "network addr", connection),
				ext("DialTimeout", "network addr limit", connection),
				ext("DialTCP DialUDP DialUnix DialIP", "network local remote", connection),
				ext("LookupHost LookupIP LookupAddr LookupCNAME LookupMX LookupNS LookupTXT", "name", dnsLookup),
				ext("LookupSRV", "service proto name", dnsLookup),
				ext("ResolveTCPAddr ResolveUDPAddr ResolveIPAddr", "network addr", dnsLookup),
			),
			on("*net.Dialer",
				ext("Dial", "dialer network addr", connection),
				ext("DialContext", "dialer ctx network addr", connection),
			),
			on("*net.Resolver",
				ext("LookupHost LookupIPAddr LookupAddr LookupCNAME LookupMX LookupNS LookupTXT", "resolver ctx name", dnsLookup),
				ext("LookupIP LookupNetIP", "resolver ctx network name", dnsLookup),
				ext("LookupSRV", "resolver ctx service proto name", dnsLookup),
			),
			on("net.Conn", ext("Read", "conn data", networkRead), ext("Write", "conn data", networkWrite)),
			on("*net.TCPConn", ext("ReadFrom", "conn src", networkWrite)),
			on("net.Listener", f("Accept", Wait, "listener", what("waiting for a connection"))),
			in("crypto/tls",
				ext("Dial", "network addr config", connection),
				ext("DialWithDialer", "dialer network addr config", connection),
			),
			on("*crypto/tls.Dialer",
				ext("Dial", "dialer network addr", connection),
				ext("DialContext", "dialer ctx network addr", connection),
			),
			on("*crypto/tls.Conn",
				ext("Read", "conn data", networkRead),
				ext("Write", "conn data", networkWrite),
				ext("Handshake", "conn", connection),
				ext("HandshakeContext", "conn ctx", connection),
			),
			in("net/rpc",
				ext("Dial DialHTTP", "network addr", connection),
				ext("DialHTTPPath", "network addr path", connection),
			),
			on("*net/rpc.Client",
				ext("Call", "client method args reply", "a remote call"),
				ext("Go", "client method args reply done", "a remote call", async),
			),
			in("net/rpc/jsonrpc", ext("Dial", "network addr", connection)),
			in("net/textproto", ext("Dial", "network addr", connection)),

			in("os", ext("StartProcess", "name argv attr", subprocess, async)),
			on("*os.Process", f("Wait", Wait, "p", what(subprocess))),
			on("*os/exec.Cmd",
				ext("Run Output CombinedOutput", "cmd", subprocess),
				ext("Start", "cmd", subprocess, async),
				f("Wait", Wait, "cmd", what(subprocess)),
			),

			on("*"+resty+".Request",
				ext("Get Head Post Put Delete Options Patch", "req url", httpRequest),
				ext("Execute", "req method url", httpRequest),
				ext("Send", "req", httpRequest),
			),
			in(retry,
				ext("Get Head", "url", httpRequest),
				ext("Post", "url type body", httpRequest),
				ext("PostForm", "url values", httpRequest),
			),
			on("*"+retry+".Client", getters, ext("Do", "client req", httpRequest)),
			in(fast, fastFuncs("req resp limit"), ext("Dial DialDualStack", "addr", connection), ext("DialTimeout DialDualStackTimeout", "addr limit", connection),
				ext("Get GetTimeout GetDeadline Post", "dst url limit", httpRequest)),
			on("*"+fast+".Client", fastFuncs("client req resp limit"), fastGetters),
			on("*"+fast+".HostClient", fastFuncs("client req resp limit"), fastGetters),
			on("*"+fast+".LBClient", except("DoRedirects", fastFuncs("client req resp limit"))),
			on("*"+fast+".PipelineClient", except("DoRedirects", fastFuncs("client req resp limit"))),

			on("*"+gowss+".Dialer",
				ext("Dial", "dialer url header", connection),
				ext("DialContext", "dialer ctx url header", connection),
			),
			on("*"+gowss+".Conn",
				ext("ReadMessage NextReader", "conn", networkRead),
				ext("ReadJSON", "conn dst", networkRead),
				ext("WriteJSON", "conn val", networkWrite),
				ext("WriteMessage", "conn type data", networkWrite),
				ext("WriteControl", "conn type data limit", networkWrite),
				ext("WritePreparedMessage", "conn message", networkWrite),
			),
			in(wss, ext("Dial", "ctx url opts", connection)),
			on("*"+wss+".Conn",
				ext("Read Reader", "conn ctx", networkRead),
				ext("Write", "conn ctx type data", networkWrite),
				ext("Ping", "conn ctx", networkWrite),
			),
			in(wss+"/wsjson",
				ext("Read", "ctx conn dst", networkRead),
				ext("Write", "ctx conn val", networkWrite),
			),

			on("*"+oauth2+".Config",
				ext("Exchange", "config ctx code opts", httpRequest),
				ext("PasswordCredentialsToken", "config ctx user password", httpRequest),
				ext("DeviceAuth", "config ctx opts", httpRequest),
				ext("DeviceAccessToken", "config ctx device opts", httpRequest),
			),
			on("*"+oauth2+"/clientcredentials.Config", ext("Token", "config ctx", httpRequest)),
			in(ssh, ext("Dial", "network addr config", connection)),
			on("*"+ssh+".Client", ext("NewSession", "client", "a command over SSH")),
			on("*"+ssh+".Session",
				ext("Run Output CombinedOutput", "session command", "a command over SSH"),
				ext("Start", "session command", "a command over SSH", async),
				f("Wait", Wait, "session", what("a command over SSH")),
			),
		),
		Shapes: []Shape{
			{With: "net/http.Request", Names: "Do RoundTrip Perform", Result: "net/http.Response", Error: true, What: httpRequest},
			{With: "net/http.Response", Names: "Get Head Post PostForm", Result: "net/http.Response", Error: true, What: httpRequest},
			{With: fastPath + ".Response", Names: "Do DoTimeout DoDeadline", Error: true, What: httpRequest},
			{On: "github.com/imroc/req.Request", Names: "Get Post Put Patch Delete Head Options Send MustGet MustPost Do", What: httpRequest},
			{On: "github.com/imroc/req.Req", Names: "Get Post Put Patch Delete Head Options Do", What: httpRequest},
			{On: "resty.dev.Request", Names: "Get Post Put Patch Delete Head Options Trace Execute Send", Error: true, What: httpRequest},
			{On: "github.com/parnurzeal/gorequest.SuperAgent", Names: "End EndBytes EndStruct", What: httpRequest},
			{On: "github.com/dghubble/sling.Sling", Names: "Receive ReceiveSuccess Do", Error: true, What: httpRequest},
			{On: "github.com/carlmjohnson/requests.Builder", Names: "Fetch Do", Error: true, What: httpRequest},
			{On: "github.com/gojek/heimdall/....*Client", Names: "Get Post Put Patch Delete Do", Error: true, What: httpRequest},
			{On: "github.com/gojektech/heimdall/....*Client", Names: "Get Post Put Patch Delete Do", Error: true, What: httpRequest},
			{On: "github.com/machinebox/graphql.Client", Context: true, Error: true, What: httpRequest},
			{On: "github.com/shurcooL/graphql.Client", Context: true, Error: true, What: httpRequest},
			{On: "github.com/hasura/go-graphql-client.Client", Context: true, Error: true, What: httpRequest},
			{On: "github.com/Khan/genqlient/graphql.Client", Context: true, Error: true, What: httpRequest},
			{On: "nhooyr.io/websocket.Conn", Names: "Read Reader Write Ping", Context: true, What: networkWrite},
			{On: "github.com/miekg/dns.Client", Names: "Exchange ExchangeContext ExchangeWithConn", Error: true, What: dnsLookup},
			{On: "github.com/pkg/sftp.Client", Error: true, What: "a file transfer"},
			{On: "github.com/pkg/sftp.File", Names: "Read ReadAt ReadFrom Write WriteAt WriteTo", Error: true, What: "a file transfer"},
			{On: "github.com/jlaffaye/ftp.ServerConn", Error: true, What: "a file transfer"},
			{On: "github.com/go-ldap/ldap.*", Names: "Search* Bind UnauthenticatedBind SimpleBind NTLM* Add Modify* Del Compare PasswordModify Extended WhoAmI", Error: true, What: "an LDAP request"},
			{On: oauth2 + ".TokenSource", Names: "Token", Error: true, What: httpRequest, Maybe: true}, // most answers are kept
		},
	}
}

const fastPath = "github.com/valyala/fasthttp"

// fastFuncs are the functions and methods of fasthttp that send a request.
func fastFuncs(layout string) []Func {
	return ext("Do DoTimeout DoDeadline DoRedirects", layout, httpRequest)
}

// streams is the table of the functions that read from a stream,
// https://pkg.go.dev/io: whether they wait depends on where it comes from.
func streams() *Library {
	return &Library{
		Name: "streams",
		Funcs: join(
			in("io",
				f("ReadAll", ReadStream, "from"),
				f("Copy", ReadStream, "dst from"),
				f("CopyN", ReadStream, "dst from n"),
				f("CopyBuffer", ReadStream, "dst from buf"),
				f("ReadFull", ReadStream, "from buf"),
				f("ReadAtLeast", ReadStream, "from buf n"),
				f("LimitReader", WrapStream, "from n"),
				f("TeeReader", WrapStream, "from dst"),
				f("NopCloser", WrapStream, "from"),
			),
			on("io.Reader", f("Read", ReadStream, "from buf")),
			in("io/ioutil", f("ReadAll", ReadStream, "from"), f("NopCloser", WrapStream, "from")),
			in("net/http", f("MaxBytesReader", WrapStream, "w from n")),
			in("bufio", f("NewReader NewScanner", WrapStream, "from"), f("NewReaderSize", WrapStream, "from n")),
			on("*bufio.Reader", f("Read", ReadStream, "from buf"), f("ReadBytes ReadString", ReadStream, "from delim"), f("ReadLine ReadRune ReadByte", ReadStream, "from")),
			on("*bufio.Scanner", f("Scan", ReadStream, "from")),
			on("*bytes.Buffer", f("ReadFrom", ReadStream, "dst from")),
			in("compress/gzip", f("NewReader", WrapStream, "from")),
			in("encoding/csv", f("NewReader", WrapStream, "from")),
			on("*encoding/csv.Reader", f("Read ReadAll", ReadStream, "from")),
			in("encoding/gob", f("NewDecoder", WrapStream, "from")),
			on("*encoding/gob.Decoder", f("Decode", ReadStream, "from dst")),
			in("encoding/json", f("NewDecoder", WrapStream, "from")),
			on("*encoding/json.Decoder", f("Decode", ReadStream, "from dst"), f("Token", ReadStream, "from")),
			in("encoding/xml", f("NewDecoder", WrapStream, "from")),
			on("*encoding/xml.Decoder", f("Decode", ReadStream, "from dst"), f("Token", ReadStream, "from")),
		),
	}
}
