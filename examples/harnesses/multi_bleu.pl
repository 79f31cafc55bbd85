#!/usr/bin/env perl
# A harness for multi-bleu.perl and multi-bleu-detok.perl of Moses: perl multi_bleu.pl PATH/multi-bleu.perl
# The script runs as it is, but that it prints its figures with all digits; it reads references from files.
use strict;
use warnings;
use File::Basename qw(basename);
use File::Temp qw(tempdir);

my ($script) = @ARGV;
my $name = basename($script, ".perl");
my @tokenizers = $name =~ /detok/ ? ("mteval") : ("whitespace", "none", "multi-bleu");
my ($parser) = grep { eval "require $_" } "JSON::XS", "JSON::PP";    # of which Perl brings the slower one
my $json = $parser->new->utf8->canonical;
my $folder = tempdir(CLEANUP => 1);
BEGIN { *CORE::GLOBAL::exit = sub { die "exit\n" } }
my $source = do { local (@ARGV, $/) = $script; <> };
$source =~ s/%\.\d+f/%.17g/g;
my $run = eval "no strict; sub { local \@ARGV = \@_;\n$source\n}" or die $@;

sub cannot {
    my ($variant, $segments) = @_;
    my %plain = (counter => "clipped", reference_length => "closest", smoothing => "none");
    for my $key (sort keys %plain) {
        return "$key: $variant->{$key}{name}" if $variant->{$key}{name} ne $plain{$key};
    }
    return "lowercase: by Unicode" if $variant->{lowercase} && $variant->{lowercase} ne "ascii";
    for my $key ("effective_order", "empty_score", "average") { return "$key: $variant->{$key}" if $variant->{$key} }
    return "weights: others than four equal ones" if join(" ", @{ $variant->{weights} }) ne "0.25 0.25 0.25 0.25";
    return "input: counts in place of segments" if !$segments;
    my $number = @{ $segments->[0]{references} };
    return "input: different numbers of references" if grep { @{ $_->{references} } != $number } @$segments;
    for my $text (map { ($_->{hypothesis}, @{ $_->{references} }) } @$segments) {
        if (ref $text) {
            return "tokens: one is empty or holds white space" if grep { !length || /\s/ } @$text;
            return "tokens: it makes others of them" if $name =~ /detok/;
        } else {
            return "input: a line feed" if $text =~ /\n/;
            return "tokenizer: $variant->{tokenizer}{name}" if !grep { $_ eq $variant->{tokenizer}{name} } @tokenizers;
        }
    }
    return;
}

sub lines { return join "", map { my $text = ref $_ ? join(" ", @$_) : $_; utf8::encode($text); "$text\n" } @_ }

sub reported {
    my ($variant, $segments) = @_;
    unlink glob "$folder/reference*";
    for my $number (0 .. $#{ $segments->[0]{references} }) {
        open my $out, ">", "$folder/reference$number" or die $!;
        print $out lines(map { $_->{references}[$number] } @$segments);
        close $out;
    }
    my ($input, $printed) = (lines(map { $_->{hypothesis} } @$segments), "");
    do {
        local (*STDIN, *STDOUT, *STDERR);
        open STDIN,  "<", \$input     and open STDOUT, ">", \$printed and open STDERR, ">", \my $advice or die $!;
        eval { $run->($variant->{lowercase} ? "-lc" : (), "$folder/reference"); 1 };
    };
    my @figures = $printed =~ m{^BLEU = (\S+), (\S+) \(BP=(\S+), ratio=\S+, hyp_len=(\d+), ref_len=(\d+)\)};
    die $@ || "it prints nothing\n" if !@figures;
    my ($score, $precisions, $penalty, $length, $reference) = @figures;
    return { score => $score / 100, precisions => [ map { $_ / 100 } split m{/}, $precisions ],
        brevity_penalty => $penalty + 0, hypothesis_length => $length + 0, reference_length => $reference + 0 };
}

$| = 1;
while (my $line = <STDIN>) {
    my $request = $json->decode($line);
    last if $request->{request} eq "bye";
    my %answer = (protocol => 1, implementation => $name, language => "Perl $^V");
    if ($request->{request} eq "case") {
        my ($variant, $segments) = @$request{"variant", "segments"};
        my $reason = cannot($variant, $segments);
        %answer = $reason ? (cannot => $reason) : eval { (reported => reported($variant, $segments)) };
        %answer = (error => join " ", split " ", $@) if !%answer;
    }
    print $json->encode({ seq => $request->{seq}, %answer }), "\n";
}
