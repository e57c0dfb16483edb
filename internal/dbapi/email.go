package dbapi

// email is the table of mail: https://pkg.go.dev/net/smtp,
// https://pkg.go.dev/github.com/wneessen/go-mail, https://pkg.go.dev/gopkg.in/gomail.v2,
// https://pkg.go.dev/github.com/jordan-wright/email,
// https://pkg.go.dev/github.com/sendgrid/sendgrid-go,
// https://pkg.go.dev/github.com/mailgun/mailgun-go/v4.
func email() *Library {
	const (
		smtp     = "net/smtp"
		gomail   = "github.com/wneessen/go-mail"
		jordan   = "github.com/jordan-wright/email"
		sendgrid = "github.com/sendgrid/sendgrid-go"
	)
	lib := &Library{
		Name: "mail",
		Packages: []string{
			smtp, gomail, jordan, sendgrid, "gopkg.in/gomail.v2", "gopkg.in/mail.v2", "github.com/go-mail/mail", "github.com/mailgun/mailgun-go",
			"github.com/xhit/go-simple-mail", "github.com/emersion/go-smtp", "github.com/emersion/go-imap/...", "github.com/resend/resend-go", "github.com/mrz1836/postmark", "github.com/keighl/postmark",
		},
		Funcs: join(
			in(smtp, ext("SendMail", "addr auth mailfrom to msg", aMail), ext("Dial", "addr", connection), ext("NewClient", "conn host", connection)),
			on("*"+smtp+".Client",
				ext("Mail Rcpt Hello Verify", "client addr", aMail),
				ext("Auth", "client auth", aMail),
				ext("StartTLS", "client config", connection),
				ext("Data Quit Noop Reset", "client", aMail),
			),
			on("*"+gomail+".Client",
				ext("DialAndSend", "client msgs", aMail),
				ext("DialAndSendWithContext", "client ctx msgs", aMail),
				ext("DialWithContext", "client ctx", connection),
				ext("Send", "client msgs", aMail),
			),
			on("*"+jordan+".Email",
				ext("Send", "mail addr auth", aMail),
				ext("SendWithTLS SendWithStartTLS", "mail addr auth config", aMail),
			),
			on("*"+jordan+".Pool", ext("Send", "pool mail limit", aMail)),
			on("*"+sendgrid+".Client", ext("Send", "client mail", aMail), ext("SendWithContext", "client ctx mail", aMail)),
			in(sendgrid,
				ext("API MakeRequest MakeRequestRetry", "req", "a request to SendGrid"),
				ext("MakeRequestWithContext MakeRequestRetryWithContext", "ctx req", "a request to SendGrid"),
			),
		),
		Shapes: []Shape{
			{On: gomail + ".Client", Names: "Send*", Error: true, What: aMail},
			{With: sendgrid + "/helpers/mail.SGMailV3", Names: "Send*", Error: true, What: aMail},
			{On: "github.com/mailgun/mailgun-go.*", Context: true, Error: true, What: aMail},
			{On: "github.com/xhit/go-simple-mail.Email", Names: "Send SendEnvelopeFrom", Error: true, What: aMail},
			{On: "github.com/xhit/go-simple-mail.SMTPServer", Names: "Connect", Error: true, What: connection},
			{On: "github.com/emersion/go-smtp.*", Funcs: true, Names: "SendMail SendMailTLS Dial DialTLS DialStartTLS Mail Rcpt Data", Error: true, What: aMail},
			{On: "github.com/resend/resend-go.*Svc", Error: true, What: aMail},
			{On: "github.com/mrz1836/postmark.Client", Error: true, What: aMail},
			{On: "github.com/keighl/postmark.Client", Error: true, What: aMail},
			{On: "github.com/mailjet/mailjet-apiv3-go.Client", Error: true, What: aMail},
		},
	}
	for _, pkg := range []string{"gopkg.in/gomail.v2", "gopkg.in/mail.v2", "github.com/go-mail/mail"} {
		lib.Shapes = append(lib.Shapes,
			Shape{On: unversioned(pkg) + ".Dialer", Names: "DialAndSend", Error: true, What: aMail},
			Shape{On: unversioned(pkg) + ".Dialer", Names: "Dial", Error: true, What: connection},
			Shape{On: unversioned(pkg) + ".*", Funcs: true, Names: "Send", Error: true, What: aMail},
		)
	}
	return lib
}
